"""What a game declares, once each: fields, actions, phases, features."""
