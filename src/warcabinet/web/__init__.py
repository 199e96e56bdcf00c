"""The browser table."""
