"""Calls every operation with the client that openapi-python-client made."""

import sys
from made import AuthenticatedClient, Client
from made.api.dbt_syncs import list_dbt_syncs
from made.api.embed_sessions import end_embed_session, exchange_session, generate_session
from made.api.embed_sessions import get_embed_session, revoke_session
from made.api.notifications import list_notifications
from made.api.service import get_embed_revocations, get_error_reference, get_key_set, get_spec
from made.api.workbooks import list_embed_tenant_workbooks, list_embed_workbooks
from made.api.workbooks import list_embed_tenants, list_workbook_embed_tenants
from made.models import ExchangeSessionBody, GenerateSession, RevokeSessionBody
from made.models import ListEmbedTenantWorkbooksInclude as Include

url, key = sys.argv[1:]
admin = AuthenticatedClient(base_url=url, token=key)
anyone = Client(base_url=url)
body = GenerateSession(deployment_id=1001, embed_tenant_name="alder-oak", external_id="u-1")
session = generate_session.sync(client=admin, body=body).to_dict()
body = ExchangeSessionBody.from_dict(session)
token = exchange_session.sync(client=anyone, body=body).token
end_user = AuthenticatedClient(base_url=url, token=token)
assert get_embed_session.sync(client=end_user).claims.external_id == "u-1"
assert list_embed_workbooks.sync(client=end_user).items
assert end_embed_session.sync_detailed(client=end_user).status_code == 204
again = exchange_session.sync(client=anyone, body=body)
assert (again.status.value, again.code.value) == (401, "invalid_session")
body = RevokeSessionBody.from_dict(session)
assert revoke_session.sync_detailed(client=admin, body=body).status_code == 204
of_tenant = {"client": admin, "include": Include.ACCESSSOURCES}
found = list_embed_tenant_workbooks.sync(1001, "alder-oak", **of_tenant).items
assert "folder" in [reason.source for item in found for reason in item.access_sources]
assert list_embed_tenants.sync(client=admin, search="alder").items[0].created_at
assert list_workbook_embed_tenants.sync(1001, found[0].id, client=admin).items[0].grantee.type_
assert list_dbt_syncs.sync(1001, client=admin, first=2).page_info.has_next_page
assert list_notifications.sync(1001, client=admin).items
assert get_key_set.sync(client=anyone).keys[0].alg == "ES256"
assert get_embed_revocations.sync(client=anyone).count(".") == 2
assert get_spec.sync(client=anyone).openapi == "3.1.1"
assert get_error_reference.sync_detailed(client=anyone).status_code == 200
