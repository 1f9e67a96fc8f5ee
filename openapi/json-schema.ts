import { type ConversionConfig, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema'
import type * as v from 'valibot'

/** An object of the document. Schemas of OpenAPI 3.1 are JSON Schema 2020-12. */
export type JsonObject = { [keyword: string]: unknown }

/**
 * Whether a schema describes a request, a response, or a document of the catalog. A request must
 * not have unknown fields, and an optional field may be null. Unknown fields of a document are left
 * out. A response may get more fields in later versions. It leaves out an optional field, and never
 * sends null for it.
 */
export type Direction = 'request' | 'response' | 'document'

export type Definitions = Record<string, v.GenericSchema>

/** Schemas by name. Where one contains another, it refers to it by name. */
export const namedJsonSchemas = (definitions: Definitions, direction: Direction) =>
  plain(toJsonSchemaDefs({ ...definitions }, conversion(definitions, direction))) as Readonly<
    Record<string, JsonObject>
  >

/** @param definitions schemas that this one refers to by name */
export function jsonSchemaOf(
  schema: v.GenericSchema,
  direction: Direction,
  definitions: Definitions = {},
): JsonObject {
  return plain(converted(schema, definitions, conversion(definitions, direction)))
}

function converted(schema: v.GenericSchema, definitions: Definitions, config: ConversionConfig) {
  const all = toJsonSchema(schema, { ...config, definitions: { ...definitions } })
  const { $schema, $defs, ...own } = all
  return own
}

/** Actions that JSON Schema cannot express. Where it matters, `v.metadata` describes them. */
const ignoreActions = ['check', 'raw_check', 'to_lower_case', 'transform', 'trim']

const conversion = (definitions: Definitions, direction: Direction): ConversionConfig => ({
  target: 'draft-2020-12',
  // core's `exactly` pipes two schemas, "not a list" and the fields. The second says more.
  typeMode: 'output',
  ignoreActions,
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  overrideSchema: ({ valibotSchema, jsonSchema }) => {
    if (valibotSchema.type === 'custom') return { type: 'object', additionalProperties: true }
    if (valibotSchema.type === 'strict_object' && direction !== 'request') {
      const { additionalProperties, ...open } = jsonSchema
      return open
    }
    if (direction !== 'response') return undefined
    if (isAbsentForNull(valibotSchema)) return jsonSchema.anyOf?.[0] as typeof jsonSchema
    // Generators make one type of two members that differ only in a `const`.
    if (typeof jsonSchema.const === 'string') return { type: 'string', enum: [jsonSchema.const] }
    if (valibotSchema.type === 'variant')
      return {
        ...jsonSchema,
        discriminator: discriminatorOf(valibotSchema as Union, jsonSchema.oneOf),
      }
    return undefined
  },
  overrideAction: (action) => {
    const { metadata } = action.valibotAction as {
      metadata?: { additionalProperties?: v.GenericSchema }
    }
    const values = metadata?.additionalProperties
    if (!values) return inCharacters(action)
    // core's `mapOf`. Its values can't be maps, because each map converts all definitions again.
    const shallow = { ...conversion(definitions, direction), overrideAction: inCharacters }
    const additionalProperties = converted(values, definitions, shallow)
    return { ...action.jsonSchema, additionalProperties }
  },
})

/** A character of JSON Schema is a code point. */
const inCharacters: NonNullable<ConversionConfig['overrideAction']> = ({
  valibotAction,
  jsonSchema,
}) =>
  valibotAction.type === 'max_code_points'
    ? {
        ...jsonSchema,
        maxLength: (valibotAction as v.MaxCodePointsAction<string, number, string>).requirement,
      }
    : undefined

/** Whether this is core's `optional`, which takes null but never gives it. */
function isAbsentForNull(schema: unknown): boolean {
  const { type, wrapped } = Object(schema)
  const [inner, action] = wrapped?.pipe ?? []
  return type === 'optional' && inner?.type === 'nullable' && action?.type === 'transform'
}

/** A union whose members differ in the text of the field `key`. */
export type Union = v.GenericSchema & {
  readonly key: string
  readonly options: readonly (v.GenericSchema & { readonly entries: v.ObjectEntries })[]
}

/** Returns the members of a union. The `text` of a member is the value of its field `key`. */
export const membersOf = ({ key, options }: Union) =>
  options.map((schema) => {
    const { literal } = schema.entries[key] as v.LiteralSchema<string, undefined>
    return { text: literal, schema }
  })

/**
 * Says by which field a client knows the member, and which text means which member.
 * @param members the references to the members, because each has a name in the document
 */
function discriminatorOf(union: Union, members: unknown) {
  const references = members as readonly { readonly $ref: string }[]
  const mapping = Object.fromEntries(
    membersOf(union).map(({ text }, index) => [text, references[index]?.$ref]),
  )
  return { propertyName: union.key, mapping }
}

/** The schema as plain JSON, with `T | null` in its short form if T is a plain type. */
function plain(schema: unknown): JsonObject {
  return JSON.parse(JSON.stringify(schema), (_, value) => {
    if (Array.isArray(value?.required) && value.required.length === 0) {
      const { required, ...rest } = value
      return rest
    }
    const [type, second, ...others] = Array.isArray(value?.anyOf) ? value.anyOf : []
    if (second?.type !== 'null' || others.length > 0 || typeof type?.type !== 'string') return value
    const { anyOf, ...rest } = value
    const nullable = { ...type, type: [type.type, 'null'], ...rest }
    return type.enum ? { ...nullable, enum: [...type.enum, null] } : nullable
  })
}
