import { deploymentIdParameter, pagingParameters } from '../common-parameters.ts'
import { pageOf, responseSchemas } from '../components.ts'
import type { Described } from '../described.ts'
import { dbtSync, noMorePages } from '../examples.ts'
import { jsonSchemaOf } from '../json-schema.ts'

export const described: Described = {
  tag: 'Dbt syncs',
  summary: 'List dbt syncs of a deployment',
  description: 'Newest start first, then by `syncJobId`. Needs read access to the deployment.',
  parameters: {
    ...deploymentIdParameter,
    ...pagingParameters,
    status: { description: 'Only syncs in this status.' },
    trigger: { description: 'Only syncs started in this way.' },
  },
  success: {
    status: 200,
    description: 'A page of dbt syncs.',
    schema: jsonSchemaOf(pageOf(responseSchemas.DbtSync), 'response', responseSchemas),
    examples: { page: { summary: 'A failed sync', value: { items: [dbtSync], pageInfo: noMorePages } } },
  },
}
