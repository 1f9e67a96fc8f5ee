import { sessionLifetimeSeconds } from '@embed-access/core/access/lifetimes.ts'
import { maxBodyBytes } from '../../functions/http/json-body.ts'
import { defaultLimits } from '../../functions/runtime/tokens.ts'
import type { Described } from '../operation.ts'
import { claims, sessionId } from '../shared-examples.ts'

const dryRun = {
  claims,
  tokenBytes: 793,
  limits: {
    maxTokenBytes: defaultLimits.maxTokenBytes,
    sessionSeconds: sessionLifetimeSeconds,
    tokenSeconds: defaultLimits.lifetimeSeconds,
  },
  warnings: [{ pointer: '/settings/timezone', message: 'is not a known time zone (IANA), such as Europe/Oslo' }],
}

export const described: Described = {
  tag: 'Embed sessions',
  summary: 'Generate an embed session',
  description:
    'Called by the backend of the host application, with read access to the deployment. Captures who the end user is ' +
    'and what they may see. The session id goes to the browser, which redeems it once, within five minutes, for an ' +
    'embed token. All or nothing: definitions, the embed tenant (created when first named) and the session are written ' +
    'together after every check has passed.',
  parameters: {
    dryRun: {
      description:
        'With `true`, everything is checked and nothing is written. The answer has the claims of the token, its size, and warnings of what is taken but is probably a mistake.',
      example: 'false',
    },
  },
  request: {
    description:
      `At most ${maxBodyBytes / 1024} KiB. ` +
      'A field that is null counts as left out. An unknown field is refused. The key `__proto__` is not allowed at any depth. ' +
      'Give at most one of `externalId` and `internalId`. A session with neither is anonymous. With `internalId`, the ' +
      "session has that user's permissions, and `groups`, `tenantGroups`, `tenantGroupDefinitions`, `userAttributes`, " +
      '`userAttributeDefinitions`, `securityContext`, `userProfile` and `roles` are not allowed.',
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
      internalUser: { summary: 'A user of the account', value: { deploymentId: 1001, internalId: 'ines' } },
    },
  },
  success: {
    description: 'The session id, or the result of the dry run.',
    schema: {
      oneOf: [{ $ref: '#/components/schemas/GeneratedSession' }, { $ref: '#/components/schemas/DryRun' }],
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
    'unknown_name',
    'context_too_large',
  ],
}
