import * as v from 'valibot'
import { boolean, exactly, freeForm, id, integer, list, mapOf, oneOf, orNull, text } from '../schema.ts'

/** ReportSnapshot and what it is made of, field by field as in the specification. */

export const FillMissingRows = exactly({ member: text, excludedDimensions: orNull(list(text)) })

export const PeriodComparison = exactly({
  measure: text,
  timeDimension: text,
  offset: exactly({ amount: integer, unit: text }),
  outputs: orNull(list(text)),
})

export const ColumnFormatOverride = exactly({
  type: oneOf(['currency', 'percent', 'number']),
  decimalPlaces: orNull(integer),
})

export const Preferences = exactly({
  columnFormats: orNull(mapOf(v.nullable(ColumnFormatOverride))),
})

export const ReportSnapshot = exactly({
  id,
  reportId: id,
  versionNumber: integer,
  description: orNull(text),
  fillMissingRows: orNull(FillMissingRows),
  isSourceReport: orNull(boolean),
  kind: orNull(oneOf(['vega', 'table', 'kpi', 'html', 'map', 'sankey'])),
  meta: orNull(freeForm),
  name: orNull(text),
  periodComparisons: orNull(list(PeriodComparison)),
  preferences: orNull(Preferences),
  pythonCode: orNull(text),
  spec: orNull(v.union([text, freeForm], 'must be a string or an object')),
  sqlQuery: orNull(text),
  title: orNull(text),
})
