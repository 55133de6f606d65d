"""A turn's ongoing battles have a name of their own; the umpire holds a turn."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("campaign", "0116_plain_words")]

    operations = [migrations.RenameField("turn", "held", "ongoing")]
