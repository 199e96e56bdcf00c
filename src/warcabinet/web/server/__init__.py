"""The server as it runs: application, pages, processes, the OpenAPI description."""
