/** The pages of components that have no page of their own name. */
const shared: Record<string, string> = { fulltext: 'search', typeahead: 'search', sms: 'messages', email: 'messages' }

/** The name of the page that shows a component. */
export const pageTitled = (component: string): string => shared[component] ?? component

/** Pages that the guide has under other names. */
const guided: Record<string, string> = { '': 'console', messages: 'sms' }

/** The address of what the guide says of what a page shows. */
export const guideOf = (page = ''): string => `/docs/${guided[page] ?? page}`
