/* Calls every operation with the types that openapi-typescript made, through openapi-fetch. */
import createClient from 'openapi-fetch'
import { baseUrl, key, must } from './must'
import type { paths } from './types'

const as = (token: string) =>
  createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } })
const admin = as(key)

const endUser = { deploymentId: 1001, embedTenantName: 'alder-oak', externalId: 'u-1' }
const { data: session } = await admin.POST('/api/v1/embed/generate-session', { body: endUser })
must(session && 'sessionId' in session)
const exchange = () => admin.POST('/api/v1/embed/session/token', { body: session })
const made = (await exchange()).data
must(made)
const embedded = as(made.token)
must((await embedded.GET('/api/v1/embed/session')).data?.claims.externalId === 'u-1')
must((await embedded.GET('/api/v1/embed/workbooks')).data?.items[0]?.name)
must((await admin.GET('/api/v1/embed-tenants')).data?.items[0]?.createdAt)
must((await embedded.DELETE('/api/v1/embed/session')).response.status === 204)
const { error } = await exchange()
must(error && 'code' in error && error.code === 'invalid_session')
const revoked = await admin.POST('/api/v1/embed/session/revoke', { body: session })
must(revoked.response.status === 204)
const workbooks = '/api/v1/deployments/{deploymentId}/embed-tenants/{embedTenantName}/workbooks'
const ofTenant = { path: endUser, query: { include: 'accessSources' as const } }
const found = (await admin.GET(workbooks, { params: ofTenant })).data?.items[0]
must(found?.accessSources?.[0]?.source)
const access = '/api/v1/deployments/{deploymentId}/workbooks/{workbookId}/embed-tenants'
const params = { path: { deploymentId: 1001, workbookId: found.id } }
must((await admin.GET(access, { params })).data?.items[0]?.grantee.type)
must((await admin.GET('/api/v1/deployments/{deploymentId}/dbt-sync', { params })).data)
must((await admin.GET('/api/v1/deployments/{deploymentId}/notifications', { params })).data)
must((await admin.GET('/.well-known/jwks.json')).data?.keys[0]?.alg === 'ES256')
const revocations = await admin.GET('/.well-known/embed-revocations', { parseAs: 'text' })
must(revocations.data?.split('.').length === 3)
must((await admin.GET('/api/v1/spec')).data)
must((await admin.GET('/docs/errors', { parseAs: 'text' })).data)
