/** A workbook of 1.8 KB as the service returns it, which is the average of the demo catalog. */
export function workbook(index: number): object {
  const widget = (position: number) => ({
    id: `widget-${index}-${position}`,
    type: ['CHART', 'TEXT', 'FILTER', 'FIELD'][(index + position) % 4],
    position: { x: position % 3, y: position * 2, w: 4, h: 3 + (index % 5) },
    config: {
      measure: `orders.measure_${(index * 7 + position) % 97}`,
      dimension: `orders.dimension_${position}`,
    },
  })
  return {
    name: `Workbook about things of kind ${1000 + index}`,
    meta: {
      tags: [`tag-${index % 17}`, `tag-${index % 23}`],
      notes: `Kept by team ${index % 31}.`,
    },
    calculatedFields: {
      margin: {
        sql: `MEASURE(orders.revenue_${index % 41}) / MEASURE(orders.count)`,
        type: 'number',
      },
    },
    createdAt: '2026-01-01T08:00:00Z',
    updatedAt: '2026-02-03T09:30:00Z',
    type: 'WORKBOOK',
    createdBy: 7,
    slug: `workbook-about-things-${1000 + index}`,
    user: { id: 7, email: 'ada@acme.example', firstName: 'Ada', picture: null },
    dashboardDraft: {
      title: `Draft ${1000 + index}`,
      kind: 'CLASSIC',
      widgets: Array.from({ length: 8 }, (_, n) => widget(n)),
    },
  }
}

/** The least that a workbook has; all are of the same length. */
export const smallWorkbook = (): object => ({
  name: 'Workbook',
  meta: {},
  calculatedFields: {},
  createdAt: '2026-01-01T08:00:00Z',
  updatedAt: '2026-02-03T09:30:00Z',
  type: 'WORKBOOK',
})
