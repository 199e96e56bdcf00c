"""What every part of the server stands on: settings, problems told to callers, log, limits on requests, news, mail."""
