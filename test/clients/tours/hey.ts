/* Calls every operation with the client that @hey-api/openapi-ts made. */
import { baseUrl, key, must } from './must'
import * as api from './sdk'
import { client } from './sdk/client.gen'

client.setConfig({ baseUrl, auth: key })
const endUser = { deploymentId: 1001, embedTenantName: 'alder-oak', externalId: 'u-1' }
const { data: session } = await api.generateSession({ body: endUser })
must(session && 'sessionId' in session)
const { data: made } = await api.exchangeSession({ body: session })
must(made)
const embedded = { auth: made.token }
must((await api.getEmbedSession(embedded)).data?.claims.externalId === 'u-1')
must((await api.listEmbedWorkbooks(embedded)).data?.items[0]?.name)
must((await api.listEmbedTenants()).data?.items[0]?.createdAt)
must((await api.endEmbedSession(embedded)).response?.status === 204)
const { error } = await api.exchangeSession({ body: session })
must(error && 'code' in error && error.code === 'invalid_session')
must((await api.revokeSession({ body: session })).response?.status === 204)

const ofTenant = { path: endUser, query: { include: 'accessSources' as const } }
const found = (await api.listEmbedTenantWorkbooks(ofTenant)).data?.items[0]
must(found?.accessSources?.[0]?.source)
const path = { deploymentId: 1001, workbookId: found.id }
must((await api.listWorkbookEmbedTenants({ path })).data?.items[0]?.grantee.type)
must((await api.listDbtSyncs({ path })).data)
must((await api.listNotifications({ path })).data)
must((await api.getKeySet()).data?.keys[0]?.alg === 'ES256')
const revocations = await api.getEmbedRevocations({ parseAs: 'text' })
must(revocations.data?.split('.').length === 3)
must((await api.getSpec()).data)
must((await api.getErrorReference({ parseAs: 'text' })).data)
