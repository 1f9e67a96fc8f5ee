import colorNames from 'color-name'
import { descriptionOfType, valueOfType } from '../embed-tenants/attribute-value.ts'
import { type AttributeDefinition, typeIn } from '../embed-tenants/embed-tenant.ts'
import type { InputError } from '../refusal.ts'
import { isTimeZone } from '../time.ts'
import type { GenerateSession } from './request.ts'
import { unknownNames } from './unknown-names.ts'

type Surroundings = {
  readonly attributes: readonly AttributeDefinition[]
  /** Whether a workbook of the deployment has the request's public dashboard id. */
  readonly isPublished: boolean
}

/** Warns of values that a session takes although they are probably mistakes. */
export function* warningsOf(
  request: GenerateSession,
  { attributes, isPublished }: Surroundings,
): Generator<InputError> {
  const { userAttributes = [], settings = {}, embedTheme = {} } = request
  const defined = new Map(attributes.map((definition) => [definition.name, definition]))
  // An entry without a value counts as left out.
  const unknown = userAttributes
    .map(({ name, value }, index) => ({ pointer: `/userAttributes/${index}/name`, name, value }))
    .filter(({ name, value }) => value !== undefined && !defined.has(name))
  yield* unknownNames(unknown, noAttribute, [...defined.keys()])
  for (const [index, { name, value }] of userAttributes.entries()) {
    const definition = defined.get(name)
    const type = definition && typeIn(definition)
    if (type && value !== undefined && valueOfType(type, value) === undefined) {
      const message = `is not ${descriptionOfType(type)}, and the attribute is defined as ${type}`
      yield { pointer: `/userAttributes/${index}/value`, message }
    }
  }
  const texts = [
    ['/settings/locale', settings.locale, isLocale, noLocale],
    ['/settings/timezone', settings.timezone, isTimeZone, noTimeZone],
    ['/publicDashboardId', request.publicDashboardId, () => isPublished, noPublicId],
    ['/branchName', request.branchName, isBranchName, noBranchName],
  ] as const
  for (const [pointer, text, isKnown, message] of texts) {
    if (text !== undefined && !isKnown(text)) yield { pointer, message }
  }
  for (const [field, color] of Object.entries(colorsOf(embedTheme))) {
    if (color !== undefined && !isColor(color))
      yield { pointer: `/embedTheme${field}`, message: noColor }
  }
}

type Theme = NonNullable<GenerateSession['embedTheme']>

const colorsOf = ({ analyticsChat: { backgroundColor, chatInput } = {}, ...theme }: Theme) => ({
  '/analyticsChat/backgroundColor': backgroundColor,
  '/analyticsChat/chatInput/backgroundColor': chatInput?.backgroundColor,
  '/analyticsChat/chatInput/borderColor': chatInput?.borderColor,
  '/chat/inputColor': theme.chat?.inputColor,
  '/primaryColor': theme.primaryColor,
})

const noAttribute = 'names no defined attribute'
const noLocale = 'is not a known locale (BCP 47), such as en-GB'
const noTimeZone = 'is not a known time zone (IANA), such as Europe/Oslo'
const noPublicId = 'is the public id of no dashboard of the deployment'
const noBranchName = 'is not a name that git takes for a branch, such as feature/colors'
const noColor = 'is not a color of CSS, such as #1a5a86, rgb(26 90 134) or teal'

function isLocale(locale: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(locale).length > 0
  } catch {
    return false
  }
}

const colors = [
  /^#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/,
  /^(rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix|light-dark|var)\(.+\)$/,
  /^(transparent|currentcolor)$/,
  // The system colors.
  /^(accentcolor|canvas|field|highlight|mark|selecteditem)(text)?$/,
  /^(button(border|face|text)|(active|gray|link|visited)text)$/,
]

/** Whether this is a color or variable of CSS. It does not check arguments of functions. */
function isColor(value: string): boolean {
  const color = value.trim().toLowerCase()
  return colors.some((pattern) => pattern.test(color)) || Object.hasOwn(colorNames, color)
}

/** Whether git takes the name (git-check-ref-format). */
function isBranchName(name: string): boolean {
  const hasForbidden = [...name].some((letter) => letter <= ' ' || '\x7f~^:?*[\\'.includes(letter))
  const parts = name.split('/')
  const isPart = (part: string) =>
    part !== '' && !part.startsWith('.') && !part.endsWith('.lock') && !part.includes('..')
  return (
    !hasForbidden &&
    parts.every(isPart) &&
    !name.endsWith('.') &&
    !name.startsWith('-') &&
    !name.includes('@{') &&
    !['@', 'HEAD'].includes(name)
  )
}
