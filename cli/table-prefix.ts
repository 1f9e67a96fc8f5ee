/** What the names of the tables begin with, unless the environment names them. */
export const tablePrefix = 'embed-access'
