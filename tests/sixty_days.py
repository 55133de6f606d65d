"""`make sixty`: sixty days of the Narrow Seas under automatic admirals, told as a chronicle, audited and proved.

Exit status 1 when the audit finds something or a check differs.
"""

from __future__ import annotations

import os
import sys
import tempfile

DAYS = 60


def main() -> int:
    """Play, tell, audit, verify."""
    os.environ["VAR_DIR"] = tempfile.mkdtemp(prefix="sixty-")
    os.environ["DJANGO_SETTINGS_MODULE"] = "deploy.settings.dev"
    os.environ["LOG_LEVEL"] = "ERROR"
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    from campaign.models import Campaign
    from campaign.services.desk.audit import campaign_audit
    from campaign.services.turn.verify import Verdict, campaign_verify

    call_command("campaign_demo", turns=DAYS, theatre="narrow_seas_1666", seed="sixty days", chronicle=True)
    campaign = Campaign.objects.select_related("book", "theatre").get()
    faults = list(campaign_audit(campaign=campaign))
    findings = list(campaign_verify(campaign=campaign))
    differ = [finding for finding in findings if finding.verdict == Verdict.DIFFERS]
    for line in (*faults, *differ):
        print(line)
    print(
        f"{campaign.calendar_day} days, {campaign.turns.count() - 1} turns: {len(faults)} errors in the books,",
        end=" ",
    )
    print(f"{len(findings) - len(differ)} checks agree, {len(differ)} differ")
    return 1 if faults or differ or campaign.calendar_day < DAYS else 0


if __name__ == "__main__":
    sys.exit(main())
