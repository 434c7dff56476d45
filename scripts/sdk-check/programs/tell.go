package main

import (
	"fmt"
	"os"
	"strings"
)

// What the checks give to every program.
var (
	serviceURL = os.Getenv("SERVICE_URL")
	serviceKey = os.Getenv("SERVICE_KEY")
	pdfFile    = os.Getenv("PDF_FILE")
	learnerID  = os.Getenv("LEARNER_ID")
	// What a call to POST /learners/bulk sends: a row to create, and one to refuse.
	emails = []string{os.Getenv("EMAIL"), "ada@gmail.com"}
)

// tell makes a call and says what it read, or what was wrong.
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
