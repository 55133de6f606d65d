from django.apps import AppConfig


class FleetsConfig(AppConfig):
    name = "fleets"
    default_auto_field = "django.db.models.BigAutoField"
