"""What the documents say of each country and place as things stand: told on its page, each line with its clause."""

from warcabinet.views.told import of_china, of_commonwealth, of_countries, of_garrisons, of_roads

__all__ = ["of_china", "of_commonwealth", "of_countries", "of_garrisons", "of_roads"]
