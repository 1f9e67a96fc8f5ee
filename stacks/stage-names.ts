/** The name of what a stage has in its region. */
export const nameOf = (what: string): string => `${$app.name}-${$app.stage}-${what}`

/**
 * The name of what belongs to the whole account, or is in another region than its stage. It ends
 * with the region of the stage, so that stages of one name in two regions don't share it.
 */
export const globalNameOf = (what: string): $util.Output<string> =>
  $interpolate`${nameOf(what)}-${aws.getRegionOutput().region}`
