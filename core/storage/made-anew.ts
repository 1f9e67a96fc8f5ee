const makers = new WeakMap<object, () => object>()

/**
 * Makes a command that has the time in it. {@link forThisAttempt} makes it again, with the time of
 * the attempt. The SDK's own attempts send the same command.
 */
export function madeAnew<Command extends object>(make: () => Command): Command {
  const command = make()
  makers.set(command, make)
  return command
}

/** The command for an attempt: one made again if {@link madeAnew} made it, else the same. */
export function forThisAttempt<Command extends object>(command: Command): Command {
  const make = makers.get(command) as (() => Command) | undefined
  return make ? madeAnew(make) : command
}
