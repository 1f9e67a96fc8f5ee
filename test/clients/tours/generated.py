"""Calls every operation with the client that openapi-generator made."""

import sys
from openapi_client import ApiClient, ApiException, Configuration
from openapi_client import DbtSyncsApi, EmbedSessionsApi, NotificationsApi, ServiceApi, WorkbooksApi
from openapi_client import ExchangeSessionRequest, GenerateSession, RevokeSessionRequest

url, key = sys.argv[1:]


def calling(token=None):
    return ApiClient(Configuration(host=url, access_token=token))


def status_of(call, *args):
    try:
        call(*args)
    except ApiException as error:
        return error.status


admin = calling(key)
sessions = EmbedSessionsApi(admin)
body = GenerateSession(deployment_id=1001, embed_tenant_name="alder-oak", external_id="u-1")
assert sessions.generate_session(body, dry_run="true").actual_instance.token_bytes > 0
session_id = sessions.generate_session(body).actual_instance.session_id
body = ExchangeSessionRequest(session_id=session_id)
end_user = calling(EmbedSessionsApi(calling()).exchange_session(body).token)
assert EmbedSessionsApi(end_user).get_embed_session().claims.external_id == "u-1"
assert WorkbooksApi(end_user).list_embed_workbooks().items
EmbedSessionsApi(end_user).end_embed_session()
assert status_of(EmbedSessionsApi(calling()).exchange_session, body) == 401
sessions.revoke_session(RevokeSessionRequest(session_id=session_id))
workbooks = WorkbooksApi(admin)
found = workbooks.list_embed_tenant_workbooks(1001, "alder-oak", include="accessSources").items
reasons = [each.actual_instance for item in found for each in item.access_sources]
assert {"tenant", "folder", "allEmbedUsers"} == {reason.source for reason in reasons}
assert workbooks.list_embed_tenants(search="alder").items[0].created_at
ends = []
for item in found:
    shown = workbooks.list_workbook_embed_tenants(1001, item.id).items
    assert {each.grantee.actual_instance.type for each in shown} <= {"embedTenant", "allEmbedUsers"}
    why = workbooks.list_workbook_embed_tenants(1001, item.id, embed_tenant_name="alder-oak")
    assert why.explanation.is_seen
    ends.append(why.explanation.end)
assert None in ends
assert DbtSyncsApi(admin).list_dbt_syncs(1001, first=2).page_info.has_next_page
assert NotificationsApi(admin).list_notifications(1001).items
service = ServiceApi(calling())
assert service.get_key_set().keys[0].alg == "ES256"
assert service.get_spec().openapi == "3.1.1"
assert "<!doctype html>" in service.get_error_reference()
# This generator knows no JWT as a body.
assert status_of(service.get_embed_revocations) == 0
