import type { Kind } from '@embed-access/core/catalog/kind.ts'
import { kinds } from '@embed-access/core/catalog/kinds.ts'
import type * as v from 'valibot'
import { type JsonObject, jsonSchemaOf } from './json-schema.ts'

/** docs/catalog.schema.json: the schema of one catalog change, by which editors complete a line. */
export const catalogSchema = (): JsonObject => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Catalog change',
  oneOf: Object.values<Kind>(kinds).flatMap((kind) => [
    changeSchema(kind, { enum: ['put'] }, [], kind.data),
    changeSchema(kind, { const: 'delete' }, ['op'], kind.deletion),
  ]),
})

const changeSchema = (
  { name, maxDocumentBytes }: Kind,
  op: JsonObject,
  required: readonly string[],
  data: v.GenericSchema,
) => ({
  type: 'object',
  properties: {
    kind: { const: name },
    op,
    revision: {
      type: ['integer', 'null'],
      minimum: Number.MIN_SAFE_INTEGER,
      maximum: Number.MAX_SAFE_INTEGER,
    },
    sentAt: { type: ['string', 'null'] },
    data: jsonSchemaOf(data, maxDocumentBytes === undefined ? 'request' : 'document'),
  },
  required: ['kind', ...required, 'data'],
  additionalProperties: false,
})
