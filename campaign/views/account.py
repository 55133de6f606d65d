"""A person's own account: its details, password and address, and their campaigns."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth import authenticate
from django.contrib.auth import views as auth_views
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import PasswordChangeForm
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from campaign.notices.write import preferences_of
from campaign.selectors.desk.pages import home_rows
from campaign.selectors.people.access import may_start_campaigns
from campaign.services.people.own_account import AccountRefused, address_ask, address_confirm, address_read
from campaign.views.join import PASSWORD_HELP
from campaign.views.requests import HtmxHttpRequest


class AddressForm(forms.Form):
    """A new address, and the password that proves who asks. A wrong password counts as a failed login, so no one can guess here either."""

    address = forms.EmailField(
        label="New address", max_length=254, widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )
    password = forms.CharField(
        label="Your password", widget=forms.PasswordInput(attrs={"autocomplete": "current-password"})
    )

    def __init__(self, *args: Any, request: HtmxHttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request

    def clean_password(self) -> str:
        """Raises ValidationError for a wrong password."""
        password: str = self.cleaned_data["password"]
        name = self.request.user.get_username()
        if authenticate(self.request, username=name, password=password) is None:
            raise forms.ValidationError("This is not your password. Try again.")
        return password


@login_required
@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def account(request: HtmxHttpRequest) -> HttpResponse:
    """A person's account. They enter a new address here. It is used once the link emailed to it has been opened and confirmed."""
    form = AddressForm(request.POST or None, request=request)
    if request.method == "POST" and form.is_valid():
        try:
            address_ask(user=request.user, address=form.cleaned_data["address"])
        except AccountRefused as refusal:
            form.add_error("address", str(refusal))
        else:
            messages.success(
                request,
                f"We have emailed a link to {form.cleaned_data['address']}. Open it within 2 days and confirm. "
                "Until then, nothing changes.",
            )
            return redirect("account")
    context = {
        "form": form,
        "kept": preferences_of(request.user),
        "rows": home_rows(request.user),
        "may_start": may_start_campaigns(request.user),
    }
    return render(request, "campaign/account.html", context, status=422 if form.errors else 200)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def address(request: HtmxHttpRequest, token: str) -> HttpResponse:
    """Confirm a new address by the link that was emailed to it. Opening it asks first, because email scanners open links.

    It asks for a login too: a mistyped address must not give the account to a stranger.
    """
    try:
        new = address_read(user=request.user, token=token)
        if request.method == "POST":
            address_confirm(user=request.user, token=token)
            messages.success(request, f"Your emails now go to {new}.")
            return redirect("account")
    except AccountRefused as refusal:
        return render(request, "campaign/address.html", {"refused": str(refusal)}, status=410)
    return render(request, "campaign/address.html", {"new": new, "token": token})


class PasswordForm(PasswordChangeForm):
    """The old password and a new one, twice."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["new_password1"].help_text = PASSWORD_HELP
        self.fields["new_password2"].label, self.fields["new_password2"].help_text = (
            "New password again",
            "",
        )


class OwnPassword(auth_views.PasswordChangeView):
    """A new password: every other session of the account ends, this one continues."""

    form_class = PasswordForm
    template_name = "registration/own_password.html"
    success_url = reverse_lazy("account")

    def form_valid(self, form: Any) -> HttpResponse:
        """Save it, and say what that ended."""
        response: HttpResponse = super().form_valid(form)
        messages.success(self.request, "Password changed. You are logged out everywhere else.")
        return response
