import * as v from 'valibot'

export type Line = Readonly<Record<string, unknown>>

/** What Lambda prints around the lines of a function. */
const platform = /^(START RequestId|END RequestId|REPORT RequestId): |^$/

/** The longest line that CloudWatch takes whole, in bytes. */
const longest = 256 * 1024

/** The lines that a function printed, parsed. What is no line of the log stays a text. */
export const linesIn = (printed: string): (Line | string)[] =>
  printed
    .split('\n')
    .filter((line) => !platform.test(line))
    .map((line) => {
      try {
        const parsed = v.parse(lineOfLog, JSON.parse(line))
        return Buffer.byteLength(line) > longest ? `too long: ${line}` : parsed
      } catch (error) {
        return `${error}: ${line}`
      }
    })

const lineOfLog = v.looseObject({
  level: v.picklist(['info', 'warn', 'error']),
  requestId: v.string(),
  time: v.pipe(v.string(), v.isoTimestamp()),
  issuer: v.pipe(v.string(), v.url()),
})

/*
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
const embeddedMetrics = v.object({
  Timestamp: v.pipe(v.number(), v.integer()),
  CloudWatchMetrics: v.array(
    v.object({
      Namespace: v.pipe(v.string(), v.regex(/^[\w./#:-]{1,255}$/)),
      Dimensions: v.array(v.pipe(v.array(v.string()), v.maxLength(30))),
      Metrics: v.pipe(
        v.array(v.object({ Name: v.string(), Unit: v.picklist(['Count', 'Milliseconds']) })),
        v.minLength(1),
        v.maxLength(100),
      ),
    }),
  ),
})

const value = v.union([v.number(), v.pipe(v.array(v.number()), v.minLength(1), v.maxLength(100))])
const dimension = v.pipe(v.string(), v.minLength(1), v.maxLength(1024))

/** What CloudWatch would make no metric of. */
export function wrongMetrics(line: Line): string[] {
  if (line._aws === undefined) return []
  const parsed = v.safeParse(embeddedMetrics, line._aws)
  if (!parsed.success) return [`${parsed.issues[0].message}: ${JSON.stringify(line)}`]
  return parsed.output.CloudWatchMetrics.flatMap(({ Dimensions, Metrics }) => [
    ...Metrics.map(({ Name }) => Name).filter((name) => !v.is(value, line[name])),
    ...Dimensions.flat().filter((name) => !v.is(dimension, line[name])),
  ]).map((name) => `${name} of ${JSON.stringify(line)}`)
}
