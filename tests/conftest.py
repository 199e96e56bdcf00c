"""What all tests share: a profile for hypothesis that does not depend on how fast the machine is."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile("steady", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.load_profile("steady")
