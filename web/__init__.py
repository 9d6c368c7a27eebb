"""A table in the browser: `mastaba serve`. Starlette and uvicorn (extra `web`), plain JavaScript, our pictures.

The server holds the position. A seat is told only what its owner may know (telling.py); tables live on disk (tables.py), so that a
server that is killed loses nothing it has answered.
"""
