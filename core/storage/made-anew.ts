const makers = new WeakMap<object, () => object>()

/**
 * A command that another attempt makes again, since it says when it was made. The SDK's own
 * attempts do not.
 */
export function madeAnew<Command extends object>(make: () => Command): Command {
  const command = make()
  makers.set(command, make)
  return command
}

/** The command for another attempt: the same one, or one made again. That can be made again too. */
export function forAnotherAttempt<Command extends object>(command: Command): Command {
  const make = makers.get(command) as (() => Command) | undefined
  return make ? madeAnew(make) : command
}
