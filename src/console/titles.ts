import { manifestOf, manifests } from '#manifests'

/** The name of the page that shows a component. */
export const pageTitled = (component: string): string => manifestOf(component)?.page ?? component

/** The address in the guide of what a page shows. */
export function guideOf(page = ''): string {
  const shown = manifests.find(({ name }) => pageTitled(name) === page)
  return `/docs/${page === '' ? 'console' : (shown?.docs?.[0] ?? shown?.name ?? page)}`
}
