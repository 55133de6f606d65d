"""On SQLite, give the room that packing has freed back to the disk. PostgreSQL uses it again by itself."""

from django.db import DatabaseError, migrations

WORTH_IT = 8 * 2**20  # bytes free in the file


def shrink(apps, schema_editor):
    """Write the file anew if much of it is free. Where it is in use or the disk is full it stays as it is, and its free room is used."""
    connection = schema_editor.connection
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        return
    with connection.cursor() as cursor:
        free, size = (
            cursor.execute(f"PRAGMA {name}").fetchone()[0] for name in ("freelist_count", "page_size")
        )
        if free * size >= WORTH_IT:
            try:
                cursor.execute("VACUUM")
            except DatabaseError as error:
                print(f"The database file could not be made smaller: {error}.")


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("campaign", "0173_pictures_when_wanted")]

    operations = [migrations.RunPython(shrink, migrations.RunPython.noop, elidable=True)]
