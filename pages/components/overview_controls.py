"""What the Overview asks the reader: whose profile, which zone's days, shares or counts. The URL holds it."""

from __future__ import annotations

from typing import cast

import streamlit as st

from evalcore.errors import StoreError
from pages.components import connection
from pages.components.charts import Measure
from pages.components.escape import one_line
from pages.components.language import shown_as, t
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
    if len(view.profiles) < 2:
        return
    st.session_state["profile"] = view.profile
    listed = view.profiles if view.profile in view.profiles else (*view.profiles, view.profile)
    st.selectbox(
        t("Profile"),
        listed,
        key="profile",
        format_func=shown_as(listed, lambda name: t("Profile {name}", name=one_line(str(name)))),
        on_change=_keep,
        args=("profile", None),
        label_visibility="collapsed",
        width=220,
    )


def draw_zone(view: Overview) -> None:
    """Draw the choice of time zone; any IANA name can be typed."""
    st.session_state["zone"] = view.zone
    listed = ZONES if view.zone in ZONES else (*ZONES, view.zone)
    st.selectbox(
        t("Time zone of the days (type any IANA name)"),
        listed,
        key="zone",
        format_func=lambda name: one_line(str(name)),
        accept_new_options=True,
        on_change=_keep,
        args=("zone", "UTC"),
        label_visibility="collapsed",
        width=220,
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
        on_change=_keep,
        args=("measure", "share"),
        label_visibility="collapsed",
    )
    return cast(Measure, chosen or "share")


def _keep(name: str, default: str | None) -> None:
    value = st.session_state[name]
    if value is None or value == default:
        st.query_params.pop(name, None)
    else:
        st.query_params[name] = str(value)
