"""The API, a module a subject: each handler is an entry of `table/endpoints.py`."""
