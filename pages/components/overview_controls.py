"""What the Overview asks the reader: whose profile, which zone's days, shares or counts. The URL holds it."""

from __future__ import annotations

from typing import cast

import streamlit as st

from evalcore.errors import StoreError
from pages.components import connection
from pages.components.charts import Measure
from pages.components.escape import one_line
from pages.components.language import t
from pages.components.url_choice import draw_choice, keep
from workflows import overview
from workflows.overview import Overview
from workflows.store import Store

ZONES = (
    "UTC",
    "America/Los_Angeles",
    "America/New_York",
    "Europe/London",
    "Europe/Berlin",
    "Europe/Moscow",
    "Asia/Kolkata",
    "Asia/Tokyo",
)


def read(store: Store) -> tuple[Overview, str]:
    """The overview the URL asks for, and a note when its zone is none: the days are then those of UTC."""
    profile = st.query_params.get("profile")
    zone = st.query_params.get("zone", "UTC")
    try:
        return overview.overview(store, profile=profile, zone=zone), ""
    except StoreError as error:
        if zone == "UTC":
            raise
        return overview.overview(store, profile=profile), connection.message(error)


def draw_profile(view: Overview) -> None:
    """Draw the choice of profile when there are several."""
    if len(view.profiles) > 1 and view.profile is not None:
        draw_choice("profile", t("Profile"), view.profiles, view.profile, _named_profile, has_label=False)


def draw_zone(zone: str, *, has_label: bool = False) -> None:
    """Draw the choice of time zone; any IANA name can be typed."""
    draw_choice(
        "zone",
        t("Time zone of the days (type any IANA name)"),
        ZONES,
        zone,
        one_line,
        default="UTC",
        free=True,
        has_label=has_label,
    )


def draw_measure() -> Measure:
    """Draw the choice between shares and counts; returns what is chosen."""
    asked = st.query_params.get("measure", "share")
    st.session_state["measure"] = asked if asked in ("share", "count") else "share"
    chosen = st.segmented_control(
        t("Measure"),
        ("share", "count"),
        key="measure",
        required=True,
        format_func={"share": t("Shares"), "count": t("Counts")}.__getitem__,
        on_change=keep,
        args=("measure", "measure", "share"),
        label_visibility="collapsed",
    )
    return cast(Measure, chosen or "share")


def _named_profile(name: str) -> str:
    return t("Profile {name}", name=one_line(name))
