import { kinds } from '@embed-access/core/catalog/kinds.ts'
import type * as v from 'valibot'
import { type JsonObject, jsonSchemaOf } from './json-schema.ts'

/** docs/catalog.schema.json: the JSON Schema of one catalog change, with which editors complete a line. */
export const catalogSchema = (): JsonObject => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Catalog change',
  oneOf: Object.values(kinds).flatMap(({ name, data, identity }) => [
    changeSchema(name, { enum: ['put'] }, [], data),
    changeSchema(name, { const: 'delete' }, ['op'], identity),
  ]),
})

const changeSchema = (kind: string, op: JsonObject, required: readonly string[], data: v.GenericSchema) => ({
  type: 'object',
  properties: {
    kind: { const: kind },
    op,
    revision: { type: ['integer', 'null'] },
    sentAt: { type: ['string', 'null'] },
    data: jsonSchemaOf(data, 'request'),
  },
  required: ['kind', ...required, 'data'],
  additionalProperties: false,
})
