/** The organization that this tab acts in, as its address names it. Without it, it is the session's own. */
export const chosenOrganization = (): string | null => new URLSearchParams(location.search).get('org')
