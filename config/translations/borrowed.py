"""Sentences of Django and allauth that annotators meet, and that these packages do not have in each of our languages.

Named here, they are collected with our own messages.
"""

from django.utils.translation import gettext_noop as _


def ngettext(singular: str, plural: str, number: int) -> str:
    """Mark a message with a plural."""
    return singular


BORROWED = (
    _("This field is required."),
    _("Enter a valid email address."),
    _("Enter a whole number."),
    _("Enter a valid value."),
    _("Select a valid choice. %(value)s is not one of the available choices."),
    _("The two password fields didn’t match."),
    _("Your password can’t be too similar to your other personal information."),
    _("The password is too similar to the %(verbose_name)s."),
    _("This password is too common."),
    _("Your password can’t be a commonly used password."),
    _("The email address and/or password you specified are not correct."),
    _("Too many failed login attempts. Try again later."),
    _("This account is currently inactive."),
    _("Please type your current password."),
    _("The email address is not assigned to any user account."),
    _("A user is already registered with this email address."),
    _("The password reset token was invalid."),
    _("The new value must be different from the current one."),
    _("Be patient, you are sending too many requests."),
    _("Incorrect password."),
    _("Invalid login."),
    _("Email address confirmation"),
    _("Password (again)"),
    _("Current Password"),
    _("New Password"),
    _("New Password (again)"),
    _("Password"),
    _("Email address"),
    _("Email"),
    _("Remember Me"),
    _("Incorrect code."),
    _("Authenticator code"),
    _("Code"),
    _("You must type the same password each time."),
    _("Successfully signed in as %(name)s."),
    _("Forgot your password?"),
    _("You have signed out."),
    _("Password successfully changed."),
    _("Confirmation email sent to %(email)s."),
    _("You have confirmed %(email)s."),
    _("Hello from %(site_name)s!"),
    _("Thank you for using %(site_name)s!\n%(site_domain)s"),
    _("Password Reset Email"),
    _(
        "You're receiving this email because you or someone else has requested a password reset for your user "
        "account.\n"
        "It can be safely ignored if you did not request a password reset. Click the link below to reset your password."
    ),
    _("Please Confirm Your Email Address"),
    _(
        "You're receiving this email because user %(user_display)s has given your email address to register an account "
        "on %(site_domain)s."
    ),
    _("To confirm this is correct, go to %(activate_url)s"),
    ngettext(
        "This password is too short. It must contain at least %d character.",
        "This password is too short. It must contain at least %d characters.",
        10,
    ),
    ngettext(
        "Your password must contain at least %(min_length)d character.",
        "Your password must contain at least %(min_length)d characters.",
        10,
    ),
)
