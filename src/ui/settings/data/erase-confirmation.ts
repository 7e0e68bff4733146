/** The text to type to erase a project. */
export const ERASE_PROJECT_CONFIRMATION = "erase everything";
