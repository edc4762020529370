// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "bundle/check.h"
#include "bundle/statement.h"
#include "bundle/wrong.h"
#include "stream/text.h"

void check_statement(const struct checked *checked)
{
	const char *kernel = text_member(checked->statement, "Kernel", "");
	const char *consent = text_member(checked->statement, "Consent", "");
	const char *release = text_member(json_object_get(checked->run,
							  "kernel"),
					  "release", "");
	struct list blanks = statement_blanks(checked->statement);

	if (!checked->allow_blanks)
		for_list(const char *, name, &blanks)
			wrong(STATEMENT ": the field '%s' is blank", name);
	if (*kernel && !strstr(kernel, release))
		wrong(STATEMENT ": it is on kernel '%s', the run on '%s'",
		      kernel, release);
	if (*consent && strcmp(consent, "yes") && strcmp(consent, "no"))
		wrong(STATEMENT ": consent is '%s'; wanted is yes or no",
		      consent);
	else if (checked->publish && strcmp(consent, "yes"))
		wrong(STATEMENT ": the submitter does not consent to publish it");
}
