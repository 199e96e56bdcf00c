"""The rules, by chapter. Importing this package registers them all."""
