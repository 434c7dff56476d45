package main

import (
	"fmt"
	"os"
	"strings"
)

// Inputs of every program, from the environment.
var (
	serviceURL = os.Getenv("SERVICE_URL")
	serviceKey = os.Getenv("SERVICE_KEY")
	pdfFile    = os.Getenv("PDF_FILE")
	learnerID  = os.Getenv("LEARNER_ID")
	// The rows of POST /learners/bulk: one to create, and one that the service rejects.
	emails = []string{os.Getenv("EMAIL"), "ada@gmail.com"}
)

// tell makes a call and prints its result or its error.
func tell(name string, call func() (string, error)) {
	words, err := call()
	if err != nil {
		words = "! " + err.Error()
	}
	fmt.Printf("%s: %s\n", name, strings.Join(strings.Fields(words), " "))
}

func policies(count, uncategorised int) string {
	return fmt.Sprintf("%d policies, %d uncategorised", count, uncategorised)
}

func report(rows, ungraded int, passed any, average float64) string {
	return fmt.Sprintf("%d rows, %d ungraded, %v passed, %.2f", rows, ungraded, passed, average)
}

func missing(code string, details int) string {
	return fmt.Sprintf("%s, %d details", code, details)
}

func bulk(success bool, errors []string) string {
	return fmt.Sprintf("%v, %s", success, strings.Join(errors, ", "))
}
