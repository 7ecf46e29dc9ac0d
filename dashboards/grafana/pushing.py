"""Dashboards to a Grafana over its API. All that is known of grafana-api stands here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

import requests
from grafana_api.grafana_api import GrafanaException
from grafana_api.grafana_face import GrafanaFace

from replay.errors import RetallyError

FOLDER: Final = "retally"
"""Uid and title of the folder."""
TIMEOUT_S: Final = 15.0


class PushError(RetallyError):
    """Why Grafana did not take a dashboard, in one line."""


def push(url: str, token: str, dashboards: Iterable[Mapping[str, Any]]) -> list[str]:
    """Put ``dashboards`` into the folder of the Grafana at ``url``, over those of the same uid; their addresses there.

    The certificate of an https address is verified. Raises `PushError`.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username is not None:
        raise PushError("--url: an address such as https://grafana.example:3000 is wanted, without user or password")
    if not token:
        raise PushError(
            "the environment variable RETALLY_GRAFANA_TOKEN is not set: a service account's token is wanted"
        )
    try:
        port = parts.port
    except ValueError:
        raise PushError(f"--url: {url}: the port is no number up to 65535") from None
    grafana = GrafanaFace(
        auth=token,
        host=parts.hostname,
        port=port,
        url_path_prefix=parts.path.strip("/") + "/" if parts.path.strip("/") else "",
        protocol=parts.scheme,
        verify=True,
        timeout=TIMEOUT_S,
    )
    what = f"the folder {FOLDER}"
    try:
        if FOLDER not in {folder["uid"] for folder in grafana.folder.get_all_folders()}:
            grafana.folder.create_folder(FOLDER, uid=FOLDER)
        addresses = []
        for each in dashboards:
            what = f"the dashboard {each['uid']}"
            body = {
                "dashboard": dict(each),
                "folderUid": FOLDER,
                "overwrite": True,
                "message": "retally dashboards push",
            }
            answer = grafana.dashboard.update_dashboard(body)
            addresses.append(f"{parts.scheme}://{parts.netloc}{answer.get('url', '')}")
    except GrafanaException as error:
        raise PushError(f"{url}: {what} was refused ({error.status_code}): {error.message}") from None
    except requests.exceptions.SSLError:
        raise PushError(f"{url}: its certificate cannot be verified") from None
    except requests.exceptions.Timeout:
        raise PushError(f"{url}: no answer within {TIMEOUT_S:.0f} s") from None
    except requests.exceptions.RequestException:
        raise PushError(f"{url}: nobody answers there") from None
    return addresses
