"""A campaign remembers which of its theatre's openings it began with."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("campaign", "0122_admiral_plans")]
    operations = [
        migrations.AddField(
            model_name="campaign",
            name="opening_code",
            field=models.CharField(
                blank=True,
                help_text="The theatre's opening with which the campaign began.",
                max_length=40,
                default="",
            ),
            preserve_default=False,
        ),
    ]
