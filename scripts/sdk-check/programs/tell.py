"""Inputs of every program, from the environment, and the output of its results."""

import os

SERVICE_URL = os.environ["SERVICE_URL"]
SERVICE_KEY = os.environ["SERVICE_KEY"]
PDF_FILE = os.environ["PDF_FILE"]
LEARNER_ID = os.environ["LEARNER_ID"]
# The rows of POST /learners/bulk: one to create, and one that the service rejects.
ROWS = [
    {"email": os.environ["EMAIL"], "first_name": "Ada", "last_name": "Byron"},
    {"email": "ada@gmail.com", "first_name": "Ada", "last_name": "Byron"},
]


def tell(name, call):
    """Makes a call and prints its result or its error."""
    try:
        words = call()
    except Exception as error:
        words = f"! {type(error).__name__}: {error}"
    print(f"{name}: {' '.join(words.split())}")


def policies(rows):
    return f"{len(rows)} policies, {sum(row.category is None for row in rows)} uncategorised"


def report(data):
    ungraded = sum(row.grade is None for row in data.rows)
    summary = data.summary
    return f"{len(data.rows)} rows, {ungraded} ungraded, {summary.passed_count} passed, {summary.average_score:.2f}"


def missing(error):
    return f"{error.code}, {len(error.details)} details"


def bulk(data):
    errors = ", ".join(f"{error.index} {error.code}" for error in data.errors)
    return f"{str(data.success).lower()}, {errors}"


def newer(error, simulations):
    return f"{error.code}, {simulations[0].status}"
