import { sessionLifetimeSeconds } from '@embed-access/core/access/lifetimes.ts'
import { embedTokenBytes } from '@embed-access/core/signing/token-signer.ts'
import { maxBodyBytes } from '../../functions/http/unreadable-body.ts'
import { defaultLimits } from '../../functions/runtime/environment.ts'
import type { Operations } from '../operation.ts'

const { maxTokenBytes, lifetimeSeconds: tokenSeconds } = defaultLimits

const sessionId = 'q2xWUL8Y3oAk0Wc7J5m1vRZbS4nTtE6dHfGiKpNyXuA'

const claims = {
  accountId: 'harborline',
  deploymentId: 1001,
  externalId: 'user-1',
  embedTenantName: 'alder-oak',
  groups: ['finance'],
  securityContext: { storeId: 42, platformCloud: { groups: ['finance'] } },
  settings: { timezone: 'Europe/Olso' },
  mintedBy: { userId: 1, key: '3f9a2c41b7de', at: 1_780_315_200 },
  iss: 'https://api.example.com',
  aud: 'https://api.example.com',
  sub: 'harborline#external#alder-oak#user-1',
  iat: 1_780_315_200,
  nbf: 1_780_315_200,
  exp: 1_780_401_600,
  jti: 'Zk3v9QbW1xLr8sTnYc0aEg',
}

const dryRun = {
  claims,
  tokenBytes: embedTokenBytes(claims),
  limits: { maxTokenBytes, sessionSeconds: sessionLifetimeSeconds, tokenSeconds },
  warnings: [
    {
      pointer: '/settings/timezone',
      message: 'is not a known time zone (IANA), such as Europe/Oslo',
    },
  ],
}

const embedToken = {
  token: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImVtYmVkK2p3dCJ9.e30.c2lnbmF0dXJl',
  expiresIn: tokenSeconds,
}

export const embedSessions = {
  'generate-session': {
    summary: 'Generate an embed session',
    description:
      'Called by the backend of the host application, with read access to the deployment. ' +
      'Captures who the end user is and what they may see. The session id goes to the browser, ' +
      'which redeems it once, within five minutes, for an embed token. All or nothing: ' +
      'definitions, the embed tenant (created when first named) and the session are written ' +
      'together after every check has passed.',
    parameters: {
      dryRun: {
        description:
          'With `true`, everything is checked and nothing is written. The answer has the claims ' +
          'of the token, its size, and warnings about probable mistakes that a real call ' +
          'accepts. An extension of this service.',
        example: 'false',
      },
    },
    request: {
      description:
        `At most ${maxBodyBytes / 1024} KiB. A field that is null counts as left out. ` +
        'The key `__proto__` is not allowed at any depth, nor `prototype` inside `constructor`. ' +
        'With `internalId`, `groups`, `tenantGroups`, `tenantGroupDefinitions`, ' +
        '`userAttributes`, `userAttributeDefinitions`, `securityContext`, `userProfile` and ' +
        '`roles` are not allowed, unless they are empty. The token may have at most ' +
        `${maxTokenBytes.toLocaleString('en')} bytes, unless the service has another limit. A ` +
        'dry run shows it as `limits.maxTokenBytes`.',
      examples: {
        endUser: {
          summary: 'An end user of an embed tenant',
          value: {
            deploymentId: 1001,
            embedTenantName: 'alder-oak',
            externalId: 'user-1',
            email: 'mara@alder-oak.example',
            userProfile: { displayName: 'Mara Lindgren' },
            groups: ['finance'],
            userAttributes: [{ name: 'region', value: ['north', 'west'] }],
            securityContext: { storeId: 42 },
            settings: { allowAi: false, locale: 'en-GB', timezone: 'Europe/Oslo' },
            tokenLifetimeSeconds: 3600,
          },
        },
        creator: {
          summary: 'A creator, with a group of the embed tenant that the request defines',
          value: {
            deploymentId: 1001,
            creatorMode: true,
            embedTenantName: 'alder-oak',
            externalId: 'user-2',
            tenantGroupDefinitions: [{ name: 'editors', description: 'May edit dashboards' }],
            tenantGroups: ['editors'],
          },
        },
        internalUser: {
          summary: 'A user of the account',
          value: { deploymentId: 1001, internalId: 'ines' },
        },
      },
    },
    success: {
      description: 'The session id, or the result of the dry run.',
      schema: {
        oneOf: [
          { $ref: '#/components/schemas/GeneratedSession' },
          { $ref: '#/components/schemas/DryRun' },
        ],
      },
      examples: {
        session: { summary: 'A session', value: { sessionId } },
        dryRun: { summary: 'A dry run', value: dryRun },
      },
      headers: ['Deprecation'],
    },
    refusals: [
      'admin_required',
      'embedding_disabled',
      'internal_id_forbidden',
      'definitions_forbidden',
      'view_as_forbidden',
      'unknown_name',
      'context_too_large',
      'too_many_embed_tenants',
    ],
  },
  'exchange-session': {
    summary: 'Redeem a session for an embed token',
    description:
      'Called by the browser. The session id is the credential. It works once: if several ' +
      'requests arrive at the same time, exactly one gets the token. An id that is unknown, ' +
      'expired, revoked or already redeemed gives the same 401. If the database loses an answer, ' +
      'the session may be gone without a token for this request (`answer_lost`). Do not send a ' +
      'session id again after an answer that is not a success: ask the host application for a ' +
      'new session. Pages of configured origins may call it (CORS).',
    request: {
      description: 'The session id.',
      examples: { session: { summary: 'A session id', value: { sessionId } } },
    },
    success: {
      description: 'The embed token, a JWT signed with ES256, and its lifetime.',
      schema: { $ref: '#/components/schemas/EmbedToken' },
      examples: { token: { summary: 'A token for 24 hours', value: embedToken } },
    },
    refusals: ['invalid_session', 'answer_lost'],
  },
  'revoke-session': {
    summary: 'Revoke a session and its token, or all of an embed tenant or user',
    description:
      'With `sessionId`: the session cannot be redeemed any more, and a token that was issued ' +
      'for it is refused from then on. Admins revoke any session of the deployments that their ' +
      'credential opens. Others revoke sessions that they have generated with the same API key, ' +
      'or with access tokens. With `embedTenantName`, for admins: all tokens of that tenant ' +
      '(with `externalId`: of that user) whose sessions were generated up to now or within the ' +
      'next second are refused. Tokens of sessions that are not yet redeemed are refused too. An ' +
      'unknown id or name gets the same answer. All but `sessionId` is an extension of this ' +
      'service.',
    request: {
      description:
        'Either `sessionId`, or `embedTenantName`, alone or with `externalId`. An `externalId` ' +
        'that is null is refused, because it could be taken for all users.',
      examples: {
        session: { summary: 'A session id', value: { sessionId } },
        user: {
          summary: 'A user who may see less from now on',
          value: { embedTenantName: 'alder-oak', externalId: 'user-1' },
        },
        tenant: {
          summary: 'An embed tenant that has left',
          value: { embedTenantName: 'alder-oak' },
        },
      },
    },
    success: { status: 204, description: 'Revoked, or there was nothing to revoke.' },
    refusals: ['admin_required'],
  },
  'get-embed-session': {
    summary: 'Ask whether an embed token is still good',
    description:
      'Called with the embed token itself, also that of an external user. Whoever verifies ' +
      'tokens with the key set alone learns here whether one was revoked. The answer is 401 if ' +
      'the token has expired or was revoked, or if its account, deployment or internal user is ' +
      'gone. Any other credential is 401 too. An extension of this service.',
    success: {
      description: 'The token is good.',
      schema: { $ref: '#/components/schemas/CurrentEmbedSession' },
      examples: {
        session: { summary: 'A token that has an hour left', value: { claims, expiresIn: 3600 } },
      },
    },
  },
  'end-embed-session': {
    summary: 'End an embed token',
    description:
      'Called by the browser with the embed token itself, when its user logs out. The token is ' +
      'refused from then on, so a second call is 401. Pages of configured origins may call it ' +
      '(CORS). An extension of this service.',
    success: { status: 204, description: 'The token has ended.' },
  },
} satisfies Operations
