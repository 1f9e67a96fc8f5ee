import colorNames from 'color-name'
import { descriptionOfType, valueOfType } from '../embed-tenants/attribute-value.ts'
import type { AttributeDefinition } from '../embed-tenants/embed-tenant.ts'
import type { InputError } from '../refusal.ts'
import { isTimeZone } from '../time.ts'
import type { GenerateSession } from './request.ts'

/**
 * What a session takes, but is probably a mistake. Only whoever shows the dashboard could tell
 * otherwise.
 * @param isPublished whether a workbook of the deployment has the request's public dashboard id
 */
export function* warningsOf(
  { userAttributes = [], settings = {}, embedTheme = {}, publicDashboardId }: GenerateSession,
  definitions: readonly AttributeDefinition[],
  isPublished: boolean,
): Generator<InputError> {
  for (const [index, { name, value }] of userAttributes.entries()) {
    const { type } = definitions.find((definition) => definition.name === name) ?? {}
    if (type && value !== undefined && valueOfType(type, value) === undefined) {
      const message = `is not ${descriptionOfType(type)}, and the attribute is defined as ${type}`
      yield { pointer: `/userAttributes/${index}/value`, message }
    }
  }
  const { analyticsChat: { backgroundColor, chatInput } = {}, chat, primaryColor } = embedTheme
  const texts: readonly [
    pointer: string,
    text: string | undefined,
    (text: string) => boolean,
    message: string,
  ][] = [
    [
      '/settings/locale',
      settings.locale,
      isLocale,
      'is not a known locale (BCP 47), such as en-GB',
    ],
    [
      '/settings/timezone',
      settings.timezone,
      isTimeZone,
      'is not a known time zone (IANA), such as Europe/Oslo',
    ],
    [
      '/publicDashboardId',
      publicDashboardId,
      () => isPublished,
      'is the public id of no dashboard of the deployment',
    ],
    ['/embedTheme/analyticsChat/backgroundColor', backgroundColor, isColor, noColor],
    [
      '/embedTheme/analyticsChat/chatInput/backgroundColor',
      chatInput?.backgroundColor,
      isColor,
      noColor,
    ],
    ['/embedTheme/analyticsChat/chatInput/borderColor', chatInput?.borderColor, isColor, noColor],
    ['/embedTheme/chat/inputColor', chat?.inputColor, isColor, noColor],
    ['/embedTheme/primaryColor', primaryColor, isColor, noColor],
  ]
  for (const [pointer, text, isKnown, message] of texts) {
    if (text !== undefined && !isKnown(text)) yield { pointer, message }
  }
}

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
]

/** A color by CSS Color 4. What stands within the brackets of a function is not looked at. */
function isColor(value: string): boolean {
  const color = value.trim().toLowerCase()
  return colors.some((pattern) => pattern.test(color)) || Object.hasOwn(colorNames, color)
}
