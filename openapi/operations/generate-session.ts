import type { Described } from '../described.ts'
import { dryRun, sessionId } from '../examples.ts'

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
        'With `true`, everything is checked and nothing is written; the answer is what the token would hold, and its size.',
      example: 'false',
    },
  },
  request: {
    component: 'GenerateSession',
    description:
      'At most 256 KiB. A field may be null, which means the same as leaving it out. An unknown field is refused. ' +
      'At most one of `externalId` and `internalId`; with neither the session is anonymous. With `internalId`, that ' +
      "user's own permissions count, and `groups`, `tenantGroups`, `tenantGroupDefinitions`, `userAttributes`, " +
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
        },
      },
      creator: {
        summary: 'A creator with a group of the embed tenant, defined along the way',
        value: {
          deploymentId: 1001,
          creatorMode: true,
          embedTenantName: 'alder-oak',
          externalId: 'user-2',
          tenantGroupDefinitions: [{ name: 'editors', description: 'May edit dashboards' }],
          tenantGroups: ['editors'],
        },
      },
      internalUser: { summary: 'A user of the account', value: { deploymentId: 1001, internalId: 'ines.carvalho' } },
    },
  },
  success: {
    status: 200,
    description: 'The session id; or, with `dryRun=true`, what a session would come to.',
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
    'deployment_not_found',
    'deployment_forbidden',
    'embedding_disabled',
    'internal_id_forbidden',
    'definitions_forbidden',
    'unknown_name',
    'context_too_large',
  ],
}
