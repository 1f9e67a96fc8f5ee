/** `public` needs no credential, `read` one that may read the deployment in question, `admin` one of an admin. */
export type Access = 'public' | 'read' | 'admin'

export type Route = {
  readonly operationId: string
  readonly method: 'GET' | 'POST'
  /** As API Gateway writes it, with `{variables}`. */
  readonly path: string
  readonly access: Access
  /** The function that answers: `functions/<file>.ts`. */
  readonly file: string
}

/** Every operation of the service. The deployment and the local gateway serve what stands here and nothing else. */
export const routes: readonly Route[] = [
  {
    operationId: 'listEmbedTenantWorkbooks',
    method: 'GET',
    path: '/api/v1/deployments/{deploymentId}/embed-tenants/{embedTenantName}/workbooks',
    access: 'admin',
    file: 'list-embed-tenant-workbooks',
  },
  {
    operationId: 'generateSession',
    method: 'POST',
    path: '/api/v1/embed/generate-session',
    access: 'read',
    file: 'generate-session',
  },
  {
    operationId: 'exchangeSession',
    method: 'POST',
    path: '/api/v1/embed/session/token',
    access: 'public',
    file: 'exchange-session',
  },
  {
    operationId: 'revokeSession',
    method: 'POST',
    path: '/api/v1/embed/session/revoke',
    access: 'admin',
    file: 'revoke-session',
  },
  {
    operationId: 'listDbtSyncs',
    method: 'GET',
    path: '/api/v1/deployments/{deploymentId}/dbt-sync',
    access: 'read',
    file: 'list-dbt-syncs',
  },
  {
    operationId: 'listNotifications',
    method: 'GET',
    path: '/api/v1/deployments/{deploymentId}/notifications',
    access: 'read',
    file: 'list-notifications',
  },
  {
    operationId: 'getKeySet',
    method: 'GET',
    path: '/.well-known/jwks.json',
    access: 'public',
    file: 'get-key-set',
  },
  {
    operationId: 'getSpec',
    method: 'GET',
    path: '/api/v1/spec',
    access: 'public',
    file: 'get-spec',
  },
  {
    operationId: 'getErrorReference',
    method: 'GET',
    path: '/docs/errors',
    access: 'public',
    file: 'get-error-reference',
  },
]

/** API Gateway's name of a route, such as `GET /.well-known/jwks.json`. */
export const routeKeyOf = ({ method, path }: Route): string => `${method} ${path}`
