"""On SQLite, give the room that the packed emails have freed back to the disk."""

from importlib import import_module

from django.db import migrations

shrink = import_module("campaign.migrations.0174_smaller_file").shrink


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("campaign", "0193_html_packed")]

    operations = [migrations.RunPython(shrink, migrations.RunPython.noop, elidable=True)]
