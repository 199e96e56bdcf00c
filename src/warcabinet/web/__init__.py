"""The table in the browser: a Starlette application over the same commands as every other shell."""
