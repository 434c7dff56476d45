/** Path below which the pages of managed companies are. */
export const CHILDREN_PATH = '/console/companies';
export const COMPARISON_PATH = `${CHILDREN_PATH}/compare`;
