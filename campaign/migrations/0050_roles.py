"""The three roles as groups, with the permissions that they have."""

from django.contrib.auth.management import create_permissions
from django.db import migrations

from campaign.services.roles import (
    CAMPAIGN_STARTERS,
    REGISTER_EDITORS,
    SITE_ADMINISTRATORS,
    UMPIRES,
    roles_make,
)


def make_roles(apps, schema_editor):
    for label in ("auth", "fleets", "battles", "campaign"):
        # permissions are made after all migrations; the groups want them now
        config = apps.get_app_config(label)
        module, config.models_module = getattr(config, "models_module", None), True
        create_permissions(config, apps=apps, verbosity=0)
        config.models_module = module
    groups = apps.get_model("auth", "Group")
    roles_make(groups, apps.get_model("auth", "Permission"))
    umpires = groups.objects.get(name=UMPIRES)
    for part in apps.get_model("campaign", "Membership").objects.filter(role="umpire").select_related("user"):
        part.user.is_staff = True
        part.user.save(update_fields=["is_staff"])
        part.user.groups.add(umpires)


def drop_roles(apps, schema_editor):
    names = (REGISTER_EDITORS, UMPIRES, SITE_ADMINISTRATORS, CAMPAIGN_STARTERS)
    apps.get_model("auth", "Group").objects.filter(name__in=names).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("campaign", "0041_rules_in_force"),
        ("battles", "0001_initial"),
        ("fleets", "0050_import_batches"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [migrations.RunPython(make_roles, drop_roles)]
