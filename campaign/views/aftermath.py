"""What people write and show of a battle on the tabletop: accounts, notes, photographs. Rules: G.BT2, G.IN1."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.http import quote_etag
from django.views.decorators.http import require_safe

from battles.models import Battle
from campaign.models import BattlePaper, BattlePicture, Membership
from campaign.selectors.people.access import Role, campaign_for_member_or_404
from campaign.selectors.people.action import battle_for_fighter_or_404
from campaign.selectors.reports.aftermath import picture_of, picture_published
from campaign.services.battle.aftermath import (
    AftermathRefused,
    Upload,
    paper_strike,
    paper_write,
    picture_publish,
    picture_remove,
    pictures_add,
)
from campaign.views.battle_questions import paper_question
from campaign.views.battles import battle_page
from campaign.views.confirming import answered, asked
from campaign.views.requests import HtmxHttpRequest, number_in, posts


@posts
def battle_papers(request: HtmxHttpRequest, code: str, battle: str) -> HttpResponse:
    """What the buttons under a battle's account do, for those who fought it and the umpire. A refusal shows the page with its reasons."""
    campaign, membership = campaign_for_member_or_404(request.user, code)
    row, side = battle_for_fighter_or_404(membership, battle)
    if row.route == Battle.Route.ENGINE or row.status == Battle.Status.VOID:
        raise Http404("no battle on the tabletop")
    act = request.POST.get("act", "").partition(":")[0]
    if act in ("publish", "withdraw", "strike") and membership.role != Role.UMPIRE:
        raise Http404("the umpire's alone")
    question = paper_question(act, row)
    if question is not None and not answered(request):
        return asked(request, campaign, membership, "battle", question)
    try:
        _done(request, row, membership)
    except AftermathRefused as refusal:
        return battle_page(request, campaign, membership, row, side, faults=refusal.faults)
    where = redirect("battle", campaign.code, row.code)
    where["Location"] += "#papers"
    return where


def _done(request: HtmxHttpRequest, battle: Battle, membership: Membership) -> None:
    act, _, about = request.POST.get("act", "").partition(":")
    pk = number_in(about)
    if act == "write":
        for kind in (BattlePaper.Kind.ACCOUNT, BattlePaper.Kind.NOTE):
            paper_write(battle=battle, membership=membership, kind=kind, text=request.POST.get(kind, ""))
        messages.success(request, "Text saved.")
    elif act == "add":
        files = request.FILES.getlist("pictures")
        uploads = [
            Upload(file.file, file.name or "The file", file.size or 0)
            for file in files
            if file.file is not None
        ]
        added = pictures_add(
            battle=battle, membership=membership, uploads=uploads, caption=request.POST.get("caption", "")
        )
        messages.success(request, f"{added} photograph{'' if added == 1 else 's'} added.")
    elif act == "remove":
        if not picture_remove(battle=battle, membership=membership, pk=pk):
            raise Http404("no such photograph of this member")
        messages.success(request, "Photograph removed.")
    elif act == "strike":
        paper_strike(battle=battle, umpire=membership, pk=pk)
        messages.success(request, "Account removed.")
    elif act in ("publish", "withdraw"):
        picture_publish(battle=battle, umpire=membership, pk=pk, published=act == "publish")
        messages.success(
            request,
            "Everyone who has its address can see the photograph now."
            if act == "publish"
            else "The photograph is private again.",
        )
    else:
        raise Http404("no such act")


@require_safe
def battle_picture(request: HttpRequest, code: str, battle: str, pk: int) -> HttpResponse:
    """A photograph, `?small=1` for a list: published ones for everyone, others for whoever may open the battle's page. Raises Http404."""
    found = picture_published(code, battle, pk)
    if found is None:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        _, membership = campaign_for_member_or_404(request.user, code)
        row, _ = battle_for_fighter_or_404(membership, battle)
        found = picture_of(row, pk)
    if found is None:
        raise Http404("no such photograph")
    return _sent(request, found, small="small" in request.GET)


def _sent(request: HttpRequest, found: BattlePicture, *, small: bool) -> HttpResponse:
    """The picture. A browser asks every time whether it may still show it, and is not sent it twice."""
    etag = quote_etag(f"{found.digest[:32]}{'-small' if small else ''}")
    answer = get_conditional_response(request, etag)
    if answer is None:
        answer = HttpResponse(bytes(found.small if small else found.jpeg), content_type="image/jpeg")
    answer["ETag"] = etag
    patch_cache_control(answer, private=True, no_cache=True)
    return answer
