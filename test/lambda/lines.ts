import * as v from 'valibot'

/** What Lambda prints around the lines of a function. */
const platform = /^(START RequestId|END RequestId|REPORT RequestId): |^$/

/** The longest line that CloudWatch takes whole, in bytes. */
const longest = 256 * 1024

const dimension = v.pipe(v.string(), v.minLength(1), v.maxLength(1024))
const value = v.union([v.number(), v.pipe(v.array(v.number()), v.minLength(1), v.maxLength(100))])

/*
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
const directive = v.object({
  Namespace: v.pipe(v.string(), v.regex(/^[\w./#:-]{1,255}$/)),
  Dimensions: v.array(v.pipe(v.array(v.string()), v.maxLength(30))),
  Metrics: v.pipe(
    v.array(v.object({ Name: v.string(), Unit: v.picklist(['Count', 'Milliseconds']) })),
    v.minLength(1),
    v.maxLength(100),
  ),
})

const line = v.looseObject({
  level: v.picklist(['info', 'warn', 'error']),
  requestId: v.string(),
  time: v.pipe(v.string(), v.isoTimestamp()),
  issuer: v.pipe(v.string(), v.url()),
  _aws: v.optional(
    v.object({
      Timestamp: v.pipe(v.number(), v.integer()),
      CloudWatchMetrics: v.array(directive),
    }),
  ),
})

/** What is wrong with the lines that functions printed, and how many lines have metrics. */
export function checked(printed: string): { problems: string[]; withMetrics: number } {
  const problems: string[] = []
  let withMetrics = 0
  for (const text of printed.split('\n').filter((each) => !platform.test(each))) {
    try {
      if (Buffer.byteLength(text) > longest) throw new Error('too long')
      const { _aws, ...fields } = v.parse(line, JSON.parse(text))
      if (_aws) withMetrics += 1
      for (const { Dimensions, Metrics } of _aws?.CloudWatchMetrics ?? []) {
        for (const { Name } of Metrics) v.parse(value, fields[Name])
        for (const name of Dimensions.flat()) v.parse(dimension, fields[name])
      }
    } catch (error) {
      problems.push(`${error}: ${text}`)
    }
  }
  return { problems, withMetrics }
}
