/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the fuzzers' inputs have in common: a row of steps. Each says what to do, a parameter, a
 * length of 16 bits, and has so many bytes of data.
 */
#ifndef CTS_NIC_TEST_FUZZ_H
#define CTS_NIC_TEST_FUZZ_H

#include <stddef.h>
#include <stdint.h>

struct step {
	uint8_t kind;
	uint8_t parameter;
	uint16_t length;	/* of what is there in truth, be the input shorter */
};

struct steps {
	const uint8_t *data;
	size_t size;
};

/**
 * steps_next - take the next step from an input
 * @steps: what is left of the input
 * @step: what to do
 *
 * Return: the data of the step, or NULL when there is no other.
 */
const uint8_t *steps_next(struct steps *steps, struct step *step);

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
