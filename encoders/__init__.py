"""Observations: how a state looks to one of its players. Each encoder is found by its name, and imported when it is asked for."""

from ..envs.core.observing import Encoder, encoder_names, register_encoder

__all__ = ["Encoder", "encoder_names", "register_encoder"]

for _name, _class in {
    "flat": "flat:FlatEncoder",
    "planes": "planes:PlaneEncoder",
    "tokens": "tokens:TokenEncoder",
    "text": "text:TextEncoder",
    "lookahead": "lookahead:LookaheadEncoder",
}.items():
    register_encoder(_name, f"mastaba.encoders.{_class}")
